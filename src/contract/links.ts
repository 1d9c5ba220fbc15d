import * as s from 'superstruct'
import { isLinkName, LINK_NAME_LENGTH } from '../rules/teacher-links.ts'
import { defineCall } from './call.ts'
import { checked, text } from './values.ts'

/** The name of a teacher's link. */
export const LinkName = checked(text(LINK_NAME_LENGTH.least, LINK_NAME_LENGTH.most), (name) =>
  isLinkName(name) ? null : 'invalid',
)

/**
 * Counts a visit by a teacher's link, as the page that it leads to asks for; the answer is the same for a
 * name that no teacher has. Nothing about the visitor is stored.
 */
export const countLinkVisit = defineCall('POST /links/visits', 'anyone', {
  feature: 'links',
  body: s.object({ link: LinkName }),
  result: s.type({ status: s.literal('COUNTED') }),
})
