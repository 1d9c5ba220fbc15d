// Line drawings on a 24 px grid, stroked with the current colour, for components and islands alike.
// Each is a constant, so that an island bundles only those that it shows. Each stands for one thing,
// wherever it is: tests/checks/icons.test.ts.

export const menu = 'M4 7h16M4 12h16M4 17h10'
export const close = 'M6 6l12 12M18 6 6 18'
export const search = 'M10.5 17a6.5 6.5 0 1 0 0-13 6.5 6.5 0 0 0 0 13ZM15.5 15.5 20 20'
export const cart = 'M3 4h2.5l2 11.5h10.5l2-8H6.2M9 20h.01M17 20h.01'
export const home = 'M4 11.5 12 5l8 6.5M6 10v9h4.5v-5h3v5H18v-9'
export const shop =
  'M4 20V9.5M20 20V9.5M3 9.5 5 4h14l2 5.5a3 3 0 0 1-6 0 3 3 0 0 1-6 0 3 3 0 0 1-6 0ZM4 20h16'
/** The customer's documents. */
export const book = 'M6 4h11a1 1 0 0 1 1 1v14a1 1 0 0 1-1 1H6ZM9 4v16M12 8h3.5M12 11h3.5'
/** To read a document. */
export const read =
  'M12 7C9.5 5 6.5 4.6 3.5 5.3v12.9c3-.7 6-.3 8.5 1.8 2.5-2.1 5.5-2.5 8.5-1.8V5.3C17.5 4.6 14.5 5 12 7ZM12 7v13'
/** To keep a document on this device. */
export const device =
  'M8 3h8a1 1 0 0 1 1 1v16a1 1 0 0 1-1 1H8a1 1 0 0 1-1-1V4a1 1 0 0 1 1-1ZM9.5 10l2.5 2.5L14.5 10M12 6.5v6M11 17.5h2'
export const user = 'M12 12a4 4 0 1 0 0-8 4 4 0 0 0 0 8ZM4.5 20a7.5 7.5 0 0 1 15 0'
export const lock = 'M6 11h12v9H6ZM8.5 11V8a3.5 3.5 0 0 1 7 0v3M12 14.5v2'
export const logout = 'M14 5H6a1 1 0 0 0-1 1v12a1 1 0 0 0 1 1h8M10 12h10M16.5 8.5 20 12l-3.5 3.5'
export const globe =
  'M12 20.5a8.5 8.5 0 1 0 0-17 8.5 8.5 0 0 0 0 17ZM3.5 12h17M12 3.5c5 5 5 12 0 17-5-5-5-12 0-17Z'
export const phone =
  'M6 3.5h3l1.5 4.5-2 1.5a10 10 0 0 0 5 5l1.5-2 4.5 1.5v3a2 2 0 0 1-2.2 2A16.5 16.5 0 0 1 4 5.7a2 2 0 0 1 2-2.2Z'
export const mail = 'M3.5 6h17v12h-17ZM4 6.5l8 6.5 8-6.5'
export const check = 'M5 12.5 10 17.5 19.5 7'
export const down = 'M6.5 9.5 12 15l5.5-5.5'
export const next = 'M9.5 6 15.5 12l-6 6'
export const previous = 'M14.5 6 8.5 12l6 6'
export const filter = 'M4 7h9M17 7h3M4 17h3M11 17h9M15 9.5v-5M9 19.5v-5'
export const wallet =
  'M4 7.5A1.5 1.5 0 0 1 5.5 6H18v3.5M4 7.5v10A1.5 1.5 0 0 0 5.5 19H20V9.5H5.5A1.5 1.5 0 0 1 4 8M16.5 14.25h.01'
export const infinity =
  'M12 12c-2-3-3.5-4-5.5-4a4 4 0 0 0 0 8c2 0 3.5-1 5.5-4 2-3 3.5-4 5.5-4a4 4 0 0 1 0 8c-2 0-3.5-1-5.5-4Z'
export const heart =
  'M12 20C7 16.5 3.5 13.5 3.5 9.3A4.5 4.5 0 0 1 12 7.2a4.5 4.5 0 0 1 8.5 2.1C20.5 13.5 17 16.5 12 20Z'
export const play = 'M8 5.5v13l10.5-6.5Z'
export const pause = 'M8.5 5.5v13M15.5 5.5v13'
export const chat = 'M4 5h16v11H11l-4.5 4V16H4ZM8 9h8M8 12h5'
export const alert = 'M12 4 2.8 19.5h18.4ZM12 10v4.5M12 17.2h.01'
export const download = 'M12 4v11M7 10.5l5 5 5-5M5 20h14'
export const trash = 'M5 7h14M10 7V4.5h4V7M7 7l1 13h8l1-13M10.5 11v5.5M13.5 11v5.5'
export const refresh = 'M19 12a7 7 0 1 1-2-5l2 2M19 4.5V9h-4.5'
/** To look at something before deciding, or at what is typed. */
export const eye =
  'M3 12c2.5-4.5 5.5-6.5 9-6.5s6.5 2 9 6.5c-2.5 4.5-5.5 6.5-9 6.5S5.5 16.5 3 12ZM12 14.5a2.5 2.5 0 1 0 0-5 2.5 2.5 0 0 0 0 5Z'
export const hidden =
  'M3 12c2.5-4.5 5.5-6.5 9-6.5s6.5 2 9 6.5c-2.5 4.5-5.5 6.5-9 6.5S5.5 16.5 3 12ZM4 20 20 4'
export const plus = 'M12 5v14M5 12h14'
export const more = 'M4.5 12h1M11.5 12h1M18.5 12h1'
export const send = 'M4 12 20 4l-5 16-3.5-6.5ZM11.5 13.5 20 4'
/** To send a page on. */
export const share =
  'M7 14.5a2.5 2.5 0 1 0 0-5 2.5 2.5 0 0 0 0 5ZM17 8a2.5 2.5 0 1 0 0-5 2.5 2.5 0 0 0 0 5ZM17 21a2.5 2.5 0 1 0 0-5 2.5 2.5 0 0 0 0 5ZM9.2 10.8l5.6-4M9.2 13.2l5.6 4'
export const chart = 'M4 20h16M7 20v-6M12 20V6M17 20v-9'
export const percent =
  'M6.5 18.5 17.5 5.5M7.5 9.5a2 2 0 1 0 0-4 2 2 0 0 0 0 4ZM16.5 18.5a2 2 0 1 0 0-4 2 2 0 0 0 0 4Z'
export const star = 'm12 3 2.7 5.8 6.3.8-4.6 4.4 1.1 6.3-5.5-3.1-5.5 3.1 1.1-6.3L3 9.6l6.3-.8Z'

// Drawings of the office's menu.
/** The teachers' documents; the book is the customer's own. */
export const books = 'M5 4h4v16H5ZM9 7h4v13H9ZM14 6.5l3.5-1L21 19l-3.5 1Z'
/** What was sold. */
export const bag = 'M6 8h12l1 12H5ZM9 8V6.5a3 3 0 0 1 6 0V8'
/** What a teacher earns; the wallet is the customer's. */
export const coins = 'M9 14a5 5 0 1 0 0-10 5 5 0 0 0 0 10ZM15.5 10.1a5 5 0 1 1-5.4 5.4'
export const sheet = 'M5 4h14v16H5ZM5 9h14M5 14.5h14M12 9v11'
/** Money that leaves for somebody's bank account. */
export const payout = 'M12 15V4M7.5 8.5 12 4l4.5 4.5M5 14v6h14v-6'
export const question =
  'M4 5h16v11H11l-4.5 4V16H4ZM10 8.6a2 2 0 1 1 2.8 1.8c-.6.3-.8.6-.8 1.2M12 13.7h.01'
export const review = 'M8 5H6v16h12V5h-2M9 3.5h6v3H9ZM9 13.5l2 2 4-4'
/** Money that customers have sent. */
export const transfer = 'M4 8h14M14.5 4.5 18 8l-3.5 3.5M20 16H6M9.5 12.5 6 16l3.5 3.5'
/** What a second person confirms. */
export const second = 'M3 13l4 4 7.5-9M11.5 15.5 13 17l8-9.5'
export const people =
  'M9 11a3.5 3.5 0 1 0 0-7 3.5 3.5 0 0 0 0 7ZM3 19.5a6 6 0 0 1 12 0M15.5 4.3a3.5 3.5 0 0 1 0 6.5M17.5 14.2a6 6 0 0 1 3.5 5.3'
/** A request to join. */
export const join = 'M10 12a4 4 0 1 0 0-8 4 4 0 0 0 0 8ZM3.5 20a6.5 6.5 0 0 1 13 0M19 9v6M16 12h6'
export const bundle =
  'M4 9h16v12H4zM2 5h20v4H2zM12 5v16M12 5C9 5 7 1 9.5 1S12 5 12 5s0-4 2.5-4S15 5 12 5'
export const tag = 'M4 4h8l8 8-8 8-8-8ZM8 8h.01'
export const hourglass = 'M6 3h12M6 21h12M8 3v4l4 5-4 5v4m8-18v4l-4 5 4 5v4'
export const bell = 'M6 16v-5a6 6 0 0 1 12 0v5l1.5 2h-15ZM10 20.5a2 2 0 0 0 4 0'
export const folder = 'M4 6h6l2 2h8v11H4ZM4 11.5h16'
export const info = 'M12 20.5a8.5 8.5 0 1 0 0-17 8.5 8.5 0 0 0 0 17ZM12 11v5.5M12 7.8h.01'
export const flag = 'M6 21V4h11l-2 4 2 4H6'
export const receipt = 'M6 4h12v17l-3-2-3 2-3-2-3 2ZM9 9h6M9 13h6'
export const letters = 'M5 6h14M12 6v13M9 19h6'
export const list = 'M9 6h11M9 12h11M9 18h11M4 6h1M4 12h1M4 18h1'
export const chapters = 'M5 6h2M10 6h9M8 11h2M13 11h6M8 16h2M13 16h6M5 20h14'
export const page = 'M6 4h8l4 4v12H6ZM14 4v4h4M9 13h6M9 16h6'
export const calendar = 'M4 6h16v14H4ZM4 10h16M8 4v4M16 4v4'
export const testDay = 'M4 6h16v14H4ZM4 10h16M8 4v4M16 4v4M9 15l2 2 4-4'
export const bank = 'M4 9l8-5 8 5ZM6 12v5M12 12v5M18 12v5M4 20h16'
export const stamp = 'M9 14V8a3 3 0 0 1 6 0v6h3v3H6v-3ZM6 20h12'
export const bookmark = 'M7 4h10v16l-5-4-5 4Z'

/** Drawings that point in the direction of the text, and are mirrored in Arabic. */
export const MIRRORED: ReadonlySet<string> = new Set([
  'next',
  'previous',
  'logout',
  'menu',
  'cart',
  'chat',
  'send',
  'list',
  'flag',
  'question',
])
