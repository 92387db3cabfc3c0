import { personName } from '../../store/model';
import { showPopover } from '../base/menu';

/** Shows who somebody is, beside a mention, a name or a picture. */
export function showPersonCard(anchor: HTMLElement, userId: number): void {
  showPopover(anchor, () => <h2>{personName(userId)}</h2>);
}
