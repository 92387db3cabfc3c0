import { ChevronDown, ChevronRight } from 'lucide';
import type { ComponentChildren } from 'preact';
import { kept } from '../../store/kept';
import { Icon } from '../base/icon';
import { Count } from './marks';

/** Names of the sections that are not as they were at first. */
const toggled = kept<readonly string[]>('toggled-sections', []);

interface SectionProps {
  /** Under which it is remembered whether it is folded. */
  name: string;
  title: string;
  count?: number | undefined;
  mentionCount?: number | undefined;
  /** Opened whatever was chosen, e.g. while somebody filters. */
  isForced?: boolean;
  startsFolded?: boolean;
  action?: ComponentChildren;
  children: ComponentChildren;
}

/** A part of the left or right side that can be folded; then it shows how many messages are unread in it. */
export function Section({ name, title, count, mentionCount, action, children, ...rest }: SectionProps) {
  const { isForced = false, startsFolded = false } = rest;
  const isOpen = isForced || toggled.value.includes(name) === startsFolded;
  const toggle = () => {
    const isToggled = toggled.value.includes(name);
    toggled.value = isToggled ? toggled.value.filter((each) => each !== name) : [...toggled.value, name];
  };
  return (
    <section>
      <div class="section-head">
        <h2>
          <button type="button" aria-expanded={isOpen} onClick={toggle}>
            <Icon of={isOpen ? ChevronDown : ChevronRight} />
            <span class="label">{title}</span>
            {!isOpen && <Count count={count} mentionCount={mentionCount} />}
          </button>
        </h2>
        {action}
      </div>
      {isOpen && children}
    </section>
  );
}
