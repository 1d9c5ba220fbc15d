import type { Feature } from './features.ts'
import type { NumberedPath } from './numbered-pages.ts'
import type { StaffRole } from './roles.ts'
import type { SitePageName } from './site-pages.ts'

interface Page {
  /** Its key in `search:pages`, if the search box suggests it. */
  searched?: string
  /** Whether the sitemap lists it. */
  isPublic?: true
  /** Whether it is a visitor's own page, which `robots.txt` disallows. */
  isPrivate?: true
  /** Whether the build renders it; the shop renders the others, before they are requested. */
  isPrerendered?: true
  /** Whether nothing but the build and the shop's settings changes it; other pages name their tags. */
  isOfSite?: true
  /** What it shows; where the backend lacks that, there is no such page, and no link to it. */
  feature?: Feature
}

/** The pages that have one path in each language; those that visitors request first come first. */
export const PAGES = {
  '/': { searched: 'home', isPublic: true },
  '/shop': { searched: 'shop', isPublic: true },
  '/programme': { searched: 'programme', isPublic: true, feature: 'programme' },
  '/teachers': { searched: 'teachers', isPublic: true },
  '/team': { searched: 'team', isPublic: true },
  '/about': { searched: 'about', isPublic: true },
  '/contact': { searched: 'contact', isPublic: true, isOfSite: true },
  '/faq': { searched: 'faq', isPublic: true },
  '/checkout': { searched: 'checkout', isPrivate: true, isOfSite: true },
  '/wishlist': { searched: 'wishlist', isOfSite: true },
  '/news': { isPrivate: true, isOfSite: true, feature: 'following' },
  '/my-documents': { searched: 'myDocuments', isPrivate: true, isOfSite: true },
  '/marks': { isPrivate: true, isOfSite: true, feature: 'exams' },
  '/charging': { searched: 'charging', isPrivate: true, isOfSite: true },
  '/chat': { searched: 'chat', isOfSite: true },
  '/login': { searched: 'login', isOfSite: true },
  '/order': { isPrivate: true, isOfSite: true, feature: 'orders' },
  '/account': { isPrivate: true, isOfSite: true, feature: 'account' },
  '/register': {},
  '/terms': { isPublic: true },
  // Says what our backend does with an account's data.
  '/privacy': { isPublic: true, feature: 'account' },
  '/forget-password': { isOfSite: true },
  '/reset-password': { isOfSite: true },
  '/confirm-email': { isOfSite: true, feature: 'account' },
  '/confirm-phone': { isOfSite: true, feature: 'account' },
  '/new-password': { isOfSite: true, feature: 'account' },
  '/busy': { isPrerendered: true },
  '/unsubscribe': { isOfSite: true, feature: 'following' },
  '/offline': { isOfSite: true },
} as const satisfies Readonly<Record<string, Page>>

/** The parts of the administrators' menu, which has many entries, in their order. */
export const MENU_GROUPS = ['today', 'shop', 'money', 'people', 'settings'] as const
export type MenuGroup = (typeof MENU_GROUPS)[number]

interface OfficePage {
  /** Its entry in the menu: its key in `office:menu`, its icon and the administrators' group. */
  menu?: { text: string; icon: string; group?: MenuGroup }
  /** The role that may use it; by default all staff. */
  role?: StaffRole
  /** Whether it is open without a log-in. */
  isOpen?: true
}

// A bundle leaves out the pages that it does not use.
/* @__NO_SIDE_EFFECTS__ */
const ofTeachers = <const Text extends string, const Icon extends string>(text: Text, icon: Icon) =>
  ({ menu: { text, icon }, role: 'TEACHER' }) as const

/* @__NO_SIDE_EFFECTS__ */
const ofAdministrators = <const Text extends string, const Icon extends string>(
  group: MenuGroup,
  text: Text,
  icon: Icon,
) => ({ menu: { text, icon, group }, role: 'ADMIN' }) as const

/**
 * The staff's pages in the order of the menu; each exists in every language. Search engines are
 * kept out of all of them.
 */
export const OFFICE_PAGES = {
  '/office': { menu: { text: 'home', icon: 'home', group: 'today' } },
  '/office/documents': ofTeachers('documents', 'books'),
  '/office/documents/new': { role: 'TEACHER' },
  '/office/import': { role: 'TEACHER' },
  '/office/many': { role: 'TEACHER' },
  '/office/paper-facts': { role: 'TEACHER' },
  '/office/document': { role: 'TEACHER' },
  '/office/file': { role: 'TEACHER' },
  '/office/sample': { role: 'TEACHER' },
  '/office/sales': ofTeachers('sales', 'bag'),
  '/office/earnings': ofTeachers('earnings', 'coins'),
  '/office/statement': ofTeachers('statement', 'sheet'),
  '/office/payouts': ofTeachers('payouts', 'payout'),
  '/office/ratings': ofTeachers('ratings', 'star'),
  '/office/questions': ofTeachers('questions', 'question'),
  '/office/wanted': ofTeachers('wanted', 'hourglass'),
  '/office/bundles': ofTeachers('bundles', 'bundle'),
  '/office/codes': ofTeachers('codes', 'tag'),
  '/office/profile': ofTeachers('profile', 'user'),
  '/office/poster': { role: 'TEACHER' },
  '/office/review': ofAdministrators('today', 'review', 'review'),
  '/office/review-document': { role: 'ADMIN' },
  '/office/transfers': ofAdministrators('today', 'transfers', 'transfer'),
  '/office/conversations': ofAdministrators('today', 'conversations', 'chat'),
  '/office/orders': ofAdministrators('shop', 'orders', 'bag'),
  '/office/order': { role: 'ADMIN' },
  '/office/invoices': ofAdministrators('money', 'invoices', 'receipt'),
  '/office/withheld': ofAdministrators('money', 'withheld', 'bank'),
  '/office/wallet': { role: 'ADMIN' },
  '/office/acts': ofAdministrators('today', 'acts', 'second'),
  '/office/teacher-payouts': ofAdministrators('money', 'teacherPayouts', 'payout'),
  '/office/closing': ofAdministrators('money', 'closing', 'calendar'),
  '/office/reports': ofAdministrators('today', 'reports', 'flag'),
  '/office/report': { role: 'ADMIN' },
  '/office/join-requests': ofAdministrators('people', 'joining', 'join'),
  '/office/people': ofAdministrators('people', 'people', 'people'),
  '/office/person': { role: 'ADMIN' },
  '/office/merge': { role: 'ADMIN' },
  '/office/catalogue': ofAdministrators('shop', 'catalogue', 'folder'),
  '/office/chapters': ofAdministrators('shop', 'chapters', 'chapters'),
  '/office/shared-bundles': ofAdministrators('shop', 'sharedBundles', 'bundle'),
  '/office/featured': ofAdministrators('shop', 'featured', 'bookmark'),
  '/office/calendar': ofAdministrators('shop', 'calendar', 'testDay'),
  '/office/all-documents': ofAdministrators('shop', 'allDocuments', 'books'),
  '/office/all-codes': ofAdministrators('shop', 'allCodes', 'tag'),
  '/office/all-ratings': ofAdministrators('shop', 'allRatings', 'star'),
  '/office/site-pages': ofAdministrators('settings', 'sitePages', 'page'),
  '/office/site-page': { role: 'ADMIN' },
  '/office/facts': ofAdministrators('settings', 'facts', 'info'),
  '/office/interface-texts': ofAdministrators('settings', 'interfaceTexts', 'letters'),
  '/office/stamp': ofAdministrators('settings', 'stamp', 'stamp'),
  '/office/notices': ofAdministrators('settings', 'notices', 'bell'),
  '/office/commissions': ofAdministrators('money', 'commissions', 'percent'),
  '/office/figures': ofAdministrators('shop', 'figures', 'chart'),
  '/office/log': ofAdministrators('people', 'log', 'list'),
  '/office/security': { menu: { text: 'security', icon: 'lock', group: 'settings' } },
  '/office/login': { isOpen: true },
  '/office/join': { isOpen: true },
  '/office/invitation': { isOpen: true },
  '/office/forget-password': { isOpen: true },
  '/office/reset-password': { isOpen: true },
  '/office/elsewhere': { isOpen: true },
} as const satisfies Readonly<Record<string, OfficePage>>

export type OfficePath = keyof typeof OFFICE_PAGES

export const OFFICE_PATHS = Object.keys(OFFICE_PAGES) as OfficePath[]

/** Pages that are sent in place of others; until they are rendered, a plain answer is sent. */
export const SUBSTITUTES = ['/404', '/error'] as const

/** Former paths of pages, which redirect to the current ones. */
export const ALIASES = ['/home', '/category', '/about-us'] as const

export type FixedPath = keyof typeof PAGES

export type PagePath =
  | FixedPath
  | (typeof ALIASES)[number]
  | (typeof SUBSTITUTES)[number]
  | OfficePath
  | NumberedPath
  | `/programme/${string}`
  | `/payment/${'transfer' | 'sandbox'}/${string}`
  | '/rss.xml'

/** A page, optionally with a query or a fragment. */
export type PageAddress = PagePath | `${PagePath}?${string}` | `${PagePath}#${string}`

export const FIXED_PATHS = Object.keys(PAGES) as FixedPath[]

/** Whether a path is of one of these pages, which say nothing. */
export function isEmpty(path: FixedPath, emptyPages: readonly SitePageName[]): boolean {
  return emptyPages.some((name) => path === `/${name}`)
}

/** What pages below these paths show. */
const BELOW: Readonly<Record<string, Feature>> = {
  read: 'reader',
  programme: 'programme',
  'look-inside': 'samples',
  payment: 'orders',
}

/** What a page shows that another backend may lack; undefined: nothing but what each has. */
export function featureOf(path: string): Feature | undefined {
  const page: Page | undefined = (PAGES as Readonly<Record<string, Page>>)[path]
  return page?.feature ?? BELOW[path.split('/')[1] ?? '']
}

/** Whether nothing but the build and the shop's settings changes the page of a path. */
export function isOfSite(path: string): boolean {
  const [first = ''] = path.split('/').slice(1)
  const page: Page | undefined = (PAGES as Readonly<Record<string, Page>>)[path]
  const others: readonly string[] = [...SUBSTITUTES, ...ALIASES]
  return ['office', 'read'].includes(first) || others.includes(path) || page?.isOfSite === true
}

export function pagesWith<Trait extends keyof Page>(trait: Trait) {
  return FIXED_PATHS.filter((path): path is PageWith<Trait> => trait in PAGES[path])
}

type PageWith<Trait extends keyof Page> = {
  [Path in FixedPath]: (typeof PAGES)[Path] extends Readonly<Record<Trait, unknown>> ? Path : never
}[FixedPath]
