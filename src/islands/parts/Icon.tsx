import './icon.css'

/** The few line drawings that islands need; 24 px grid, stroked with the current colour. */
const PATHS = {
  search: 'M10.500 17a6.500 6.500 0 1 0 0-13 6.500 6.500 0 0 0 0 13ZM15.500 15.500 20 20',
  close: 'M6 6l12 12M18 6 6 18',
  check: 'M5 12.500 10 17.500 19.500 7',
  back: 'M14.500 6 8.500 12l6 6',
  logout: 'M14 5H6a1 1 0 0 0-1 1v12a1 1 0 0 0 1 1h8M10 12h10M16.500 8.500 20 12l-3.500 3.500',
  book: 'M6 4h11a1 1 0 0 1 1 1v14a1 1 0 0 1-1 1H6ZM9 4v16M12 8h3.500M12 11h3.500',
  download: 'M12 4v11M7 10.500l5 5 5-5M5 20h14',
  trash: 'M5 7h14M10 7V4.500h4V7M7 7l1 13h8l1-13M10.500 11v5.500M13.500 11v5.500',
  refresh: 'M19 12a7 7 0 1 1-2-5l2 2M19 4.500V9h-4.500',
  eye: 'M3 12c2.500-4.500 5.500-6.500 9-6.500s6.500 2 9 6.500c-2.500 4.500-5.500 6.500-9 6.500S5.500 16.500 3 12ZM12 14.500a2.500 2.500 0 1 0 0-5 2.500 2.500 0 0 0 0 5Z',
  heart:
    'M12 20C7 16.500 3.500 13.500 3.500 9.300A4.500 4.500 0 0 1 12 7.200a4.500 4.500 0 0 1 8.500 2.100C20.500 13.500 17 16.500 12 20Z',
  plus: 'M12 5v14M5 12h14',
  send: 'M4 12 20 4l-5 16-3.500-6.500ZM11.500 13.500 20 4',
  down: 'M6.500 9.500 12 15l5.500-5.500',
  hidden:
    'M3 12c2.500-4.500 5.500-6.500 9-6.500s6.500 2 9 6.500c-2.500 4.500-5.500 6.500-9 6.500S5.500 16.500 3 12ZM4 20 20 4',
} as const

export type IconName = keyof typeof PATHS

// Those that point along the line of text (look, bidi rule 6).
const MIRRORED: ReadonlySet<IconName> = new Set(['back', 'logout', 'send'])

/** A decoration: the control that it stands in has a name of its own. */
export function Icon({ name }: { name: IconName }) {
  return (
    <svg
      className={MIRRORED.has(name) ? 'icon icon--mirror' : 'icon'}
      viewBox="0 0 24 24"
      aria-hidden="true"
    >
      <path d={PATHS[name]} />
    </svg>
  )
}
