import { OFFICE_PAGES, OFFICE_PATHS, type OfficePath } from '../../rules/pages.ts'
import type { StaffRole } from '../../rules/roles.ts'

type Listed = Extract<(typeof OFFICE_PAGES)[OfficePath], { menu: object }>
type Entry = { path: OfficePath } & Listed['menu']

type ListedPath = {
  [Path in OfficePath]: (typeof OFFICE_PAGES)[Path] extends Listed ? Path : never
}[OfficePath]

export function menuOf(role: StaffRole): Entry[] {
  return OFFICE_PATHS.flatMap((path) => {
    const page: { menu?: Listed['menu']; role?: StaffRole; isOpen?: true } = OFFICE_PAGES[path]
    const isTheirs = page.role === undefined || page.role === role
    return page.menu && isTheirs ? [{ path, ...page.menu }] : []
  })
}

/** The headings of the administrators' menu in display order, and the pages below each. */
const GROUPS = {
  money: [
    '/office/orders',
    '/office/invoices',
    '/office/withheld',
    '/office/teacher-payouts',
    '/office/closing',
    '/office/acts',
    '/office/commissions',
  ],
  people: ['/office/people', '/office/join-requests'],
  catalogue: [
    '/office/catalogue',
    '/office/featured',
    '/office/all-documents',
    '/office/all-ratings',
    '/office/reports',
  ],
  site: [
    '/office/site-pages',
    '/office/facts',
    '/office/interface-texts',
    '/office/stamp',
    '/office/notices',
  ],
  follow: ['/office/figures', '/office/log', '/office/security'],
} as const satisfies Readonly<Record<string, readonly ListedPath[]>>

/**
 * The same entries under headings if a role has many; the everyday pages come first, without a
 * heading.
 */
export function groupedMenuOf(
  role: StaffRole,
): { heading: keyof typeof GROUPS | null; entries: Entry[] }[] {
  const entries = menuOf(role)
  if (role !== 'ADMIN') return [{ heading: null, entries }]
  const headings = Object.keys(GROUPS) as (keyof typeof GROUPS)[]
  const headingOf = ({ path }: Entry) =>
    headings.find((heading) => GROUPS[heading].some((one) => one === path)) ?? null
  return [null, ...headings]
    .map((heading) => ({ heading, entries: entries.filter((one) => headingOf(one) === heading) }))
    .filter(({ entries: inGroup }) => inGroup.length > 0)
}
