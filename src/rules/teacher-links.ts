import { LINK_NAME_MAX_LENGTH } from './link-visits.ts'

/** How long the name of a teacher's link is, in characters. */
export const LINK_NAME_LENGTH = { least: 3, most: LINK_NAME_MAX_LENGTH }
/** How many names a teacher may have used; each goes on leading to the teacher's page. */
export const LINK_NAMES_MAX = 10

const LINK_NAME = RegExp(`^[a-z0-9-]{${LINK_NAME_LENGTH.least},${LINK_NAME_LENGTH.most}}$`)

export const isLinkName = (name: string): boolean => LINK_NAME.test(name)

/** The path of a teacher's link. */
export const linkPath = (name: string): string => `/t/${name}`
