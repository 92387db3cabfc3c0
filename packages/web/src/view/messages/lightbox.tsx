import { useSignal } from '@preact/signals';
import { ChevronLeft, ChevronRight } from 'lucide';
import { texts } from '../../texts/texts';
import { Dialog, showDialog } from '../base/dialog';
import { IconButton } from '../base/icon';

interface Picture {
  address: string;
  name: string;
}

/** Shows a picture in full size, with the others of the view before and after it. */
export function showLightbox(link: HTMLAnchorElement): void {
  const links = [
    ...(link.closest('.scroll, .dialog') ?? document).querySelectorAll<HTMLAnchorElement>('a.shown-picture'),
  ];
  const pictures = links.map(({ href: address, firstElementChild: image }) => ({
    address,
    name: image?.getAttribute('alt') ?? '',
  }));
  showDialog((close) => <Lightbox pictures={pictures} first={links.indexOf(link)} close={close} />);
}

function Lightbox({ pictures, first, close }: { pictures: readonly Picture[]; first: number; close: () => void }) {
  const at = useSignal(first);
  const { previous, next, openOriginal, picture: title } = texts.value;
  const shown = pictures[at.value];
  const go = (step: number) => {
    at.value = Math.min(Math.max(at.value + step, 0), pictures.length - 1);
  };
  const onKeyDown = ({ key }: KeyboardEvent) => {
    if (key === 'ArrowLeft') go(-1);
    if (key === 'ArrowRight') go(1);
  };
  if (!shown) return null;
  return (
    <Dialog title={shown.name || title} close={close} class="lightbox">
      {/* biome-ignore lint/a11y/noStaticElementInteractions: the arrow keys do what its buttons do. */}
      <div class="lightbox-picture" onKeyDown={onKeyDown}>
        {pictures.length > 1 && <IconButton of={ChevronLeft} label={previous} onClick={() => go(-1)} />}
        <img src={shown.address} alt={shown.name} />
        {pictures.length > 1 && <IconButton of={ChevronRight} label={next} onClick={() => go(1)} />}
      </div>
      <p>
        <a href={shown.address} target="_blank" rel="noreferrer">
          {openOriginal}
        </a>
      </p>
    </Dialog>
  );
}
