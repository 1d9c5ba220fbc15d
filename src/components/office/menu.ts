import { OFFICE_PAGES, OFFICE_PATHS, type OfficePath } from '../../rules/pages.ts'
import type { StaffRole } from '../../rules/roles.ts'

type Listed = Extract<(typeof OFFICE_PAGES)[OfficePath], { menu: object }>

/** The entries of a role's menu: the pages that are there, in their order. */
export function menuOf(role: StaffRole): ({ path: OfficePath } & Listed['menu'])[] {
  return OFFICE_PATHS.flatMap((path) => {
    const page: { menu?: Listed['menu']; role?: StaffRole; isOpen?: true } = OFFICE_PAGES[path]
    const isTheirs = page.role === undefined || page.role === role
    return page.menu && isTheirs ? [{ path, ...page.menu }] : []
  })
}
