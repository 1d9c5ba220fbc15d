/** Line drawings on a 24 px grid, stroked with the current colour. */
export const ICONS = {
  menu: 'M4 7h16M4 12h16M4 17h10',
  close: 'M6 6l12 12M18 6 6 18',
  search: 'M10.5 17a6.5 6.5 0 1 0 0-13 6.5 6.5 0 0 0 0 13ZM15.5 15.5 20 20',
  cart: 'M3 4h2.5l2 11.5h10.5l2-8H6.2M9 20h.01M17 20h.01',
  home: 'M4 11.5 12 5l8 6.5M6 10v9h4.5v-5h3v5H18v-9',
  shop: 'M4 20V9.5M20 20V9.5M3 9.5 5 4h14l2 5.5a3 3 0 0 1-6 0 3 3 0 0 1-6 0 3 3 0 0 1-6 0ZM4 20h16',
  book: 'M6 4h11a1 1 0 0 1 1 1v14a1 1 0 0 1-1 1H6ZM9 4v16M12 8h3.5M12 11h3.5',
  user: 'M12 12a4 4 0 1 0 0-8 4 4 0 0 0 0 8ZM4.5 20a7.5 7.5 0 0 1 15 0',
  logout: 'M14 5H6a1 1 0 0 0-1 1v12a1 1 0 0 0 1 1h8M10 12h10M16.5 8.5 20 12l-3.5 3.5',
  globe:
    'M12 20.5a8.5 8.5 0 1 0 0-17 8.5 8.5 0 0 0 0 17ZM3.5 12h17M12 3.5c5 5 5 12 0 17-5-5-5-12 0-17Z',
  phone:
    'M6 3.5h3l1.5 4.5-2 1.5a10 10 0 0 0 5 5l1.5-2 4.5 1.5v3a2 2 0 0 1-2.2 2A16.5 16.5 0 0 1 4 5.7a2 2 0 0 1 2-2.2Z',
  mail: 'M3.5 6h17v12h-17ZM4 6.5l8 6.5 8-6.5',
  check: 'M5 12.5 10 17.5 19.5 7',
  down: 'M6.5 9.5 12 15l5.5-5.5',
  next: 'M9.5 6 15.5 12l-6 6',
  previous: 'M14.5 6 8.5 12l6 6',
  filter: 'M4 7h9M17 7h3M4 17h3M11 17h9M15 9.5v-5M9 19.5v-5',
  wallet:
    'M4 7.5A1.5 1.5 0 0 1 5.5 6H18v3.500M4 7.500v10A1.5 1.5 0 0 0 5.5 19H20V9.500H5.500A1.5 1.5 0 0 1 4 8M16.5 14.25h.01',
  infinity:
    'M12 12c-2-3-3.5-4-5.5-4a4 4 0 0 0 0 8c2 0 3.5-1 5.5-4 2-3 3.5-4 5.5-4a4 4 0 0 1 0 8c-2 0-3.5-1-5.5-4Z',
  heart:
    'M12 20C7 16.5 3.5 13.5 3.5 9.300A4.5 4.5 0 0 1 12 7.200a4.5 4.5 0 0 1 8.5 2.100C20.5 13.5 17 16.5 12 20Z',
  play: 'M8 5.500v13l10.500-6.500Z',
  pause: 'M8.500 5.500v13M15.500 5.500v13',
  chat: 'M4 5h16v11H11l-4.500 4V16H4ZM8 9h8M8 12h5',
  alert: 'M12 4 2.8 19.500h18.400ZM12 10v4.500M12 17.200h.01',
} as const

export type IconName = keyof typeof ICONS

/** What points along the line of text, and so mirrors in Arabic (look, bidi rule 6). */
export const MIRRORED: ReadonlySet<IconName> = new Set([
  'next',
  'previous',
  'logout',
  'menu',
  'cart',
  'chat',
])
