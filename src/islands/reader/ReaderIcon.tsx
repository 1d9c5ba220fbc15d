import '../../parts/icon.css'
import { close, download, next, previous, search } from '../../parts/drawings.ts'

// Line drawings that only the reader uses, in the style of `parts/drawings.ts`.
export const DRAWINGS = {
  close,
  download,
  next,
  previous,
  search,
  contents:
    'M9.5 6H20M9.5 12H20M9.5 18H20M4.4 6a.6 .6 0 1 0 1.2 0a.6 .6 0 1 0-1.2 0ZM4.4 12a.6 .6 0 1 0 1.2 0a.6 .6 0 1 0-1.2 0ZM4.4 18a.6 .6 0 1 0 1.2 0a.6 .6 0 1 0-1.2 0Z',
  more: 'M11.4 5.5a.6 .6 0 1 0 1.2 0a.6 .6 0 1 0-1.2 0ZM11.4 12a.6 .6 0 1 0 1.2 0a.6 .6 0 1 0-1.2 0ZM11.4 18.5a.6 .6 0 1 0 1.2 0a.6 .6 0 1 0-1.2 0Z',
  larger: 'M12 20.5a8.5 8.5 0 1 0 0-17 8.5 8.5 0 0 0 0 17ZM8.5 12h7M12 8.5v7',
  smaller: 'M12 20.5a8.5 8.5 0 1 0 0-17 8.5 8.5 0 0 0 0 17ZM8.5 12h7',
  clock: 'M12 20.5a8.5 8.5 0 1 0 0-17 8.5 8.5 0 0 0 0 17ZM12 7.5V12l3.5 2',
  moon: 'M19.5 14.5A8 8 0 0 1 9.5 4.5a8 8 0 1 0 10 10Z',
  full: 'M4 9V4h5M20 9V4h-5M4 15v5h5M20 15v5h-5',
  print: 'M7 9V4h10v5M7 17H4.5V9h15v8H17M7.5 14h9v6h-9Z',
}

const MIRRORED: ReadonlySet<string> = new Set(['next', 'previous', 'contents'])

export function ReaderIcon({ name }: { name: keyof typeof DRAWINGS }) {
  return (
    <svg
      className={MIRRORED.has(name) ? 'icon icon--mirror' : 'icon'}
      viewBox="0 0 24 24"
      aria-hidden="true"
    >
      <path d={DRAWINGS[name]} />
    </svg>
  )
}
