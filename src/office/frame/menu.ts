import {
  MENU_GROUPS,
  type MenuGroup,
  OFFICE_PAGES,
  OFFICE_PATHS,
  type OfficePath,
} from '../../rules/pages.ts'
import type { StaffRole } from '../../rules/roles.ts'

type Listed = Extract<(typeof OFFICE_PAGES)[OfficePath], { menu: object }>
type Entry = { path: OfficePath } & Listed['menu']

export function menuOf(role: StaffRole): Entry[] {
  return OFFICE_PATHS.flatMap((path) => {
    const page: { menu?: Listed['menu']; role?: StaffRole; isOpen?: true } = OFFICE_PAGES[path]
    const isTheirs = page.role === undefined || page.role === role
    return page.menu && isTheirs ? [{ path, ...page.menu }] : []
  })
}

/** The same entries in groups if a role has many. */
export function groupedMenuOf(role: StaffRole): { group: MenuGroup | null; entries: Entry[] }[] {
  const entries = menuOf(role)
  if (role !== 'ADMIN') return [{ group: null, entries }]
  const groupOf = (entry: Entry): MenuGroup => ('group' in entry ? entry.group : MENU_GROUPS[0])
  return MENU_GROUPS.map((group) => ({
    group,
    entries: entries.filter((entry) => groupOf(entry) === group),
  }))
}
