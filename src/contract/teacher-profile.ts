import * as s from 'superstruct'
import { plainEmail } from '../rules/pasted-text.ts'
import { LEVELS } from '../rules/price-bands.ts'
import {
  PROFILE_RULES,
  type ProfileTextField,
  profileTextProblem,
  TEACHER_SUBJECTS_MAX,
} from '../rules/teacher-profile.ts'
import { defineCall } from './call.ts'
import { LinkName } from './links.ts'
import { checked, id, nameText, text, uploadId, whole } from './values.ts'

/** A text of a profile, within its rule. */
function written(field: ProfileTextField) {
  const { most, isName } = PROFILE_RULES[field]
  const within = isName
    ? nameText(0, most)
    : text(0, most, field === 'contactEmail' ? plainEmail : undefined)
  return checked(within, (value) => profileTextProblem(field, value))
}

/** All texts of a teacher's profile: plain text, '' if a field is empty. */
export const ProfileText = s.object({
  firstName: written('firstName'),
  lastName: written('lastName'),
  /** The full name in Latin letters, for the French and English pages. */
  latinName: written('latinName'),
  /** The address on the public page, never one that logs in; '' for none. */
  contactEmail: written('contactEmail'),
  /** The Arabic biography. */
  bio: written('bio'),
  bioFr: written('bioFr'),
  bioEn: written('bioEn'),
  subjectIds: s.size(s.array(id()), 0, TEACHER_SUBJECTS_MAX),
  levels: s.size(s.array(s.enums(LEVELS)), 0, LEVELS.length),
})
export type ProfileText = s.Infer<typeof ProfileText>

/** The caller's own public profile, with data that only they may see. */
export const OwnProfile = s.type({
  id: id(),
  /** Raised by every change of the text; `saveOwnProfile` names the revision that it replaces. */
  revision: s.number(),
  firstName: s.string(),
  lastName: s.string(),
  latinName: s.string(),
  contactEmail: s.string(),
  bio: s.string(),
  bioFr: s.string(),
  bioEn: s.string(),
  subjectIds: s.array(id()),
  levels: s.array(s.enums(LEVELS)),
  picturePath: s.nullable(s.string()),
  /** The name in the link to the public page, `/t/<name>`; null before one is chosen. */
  link: s.nullable(s.string()),
  /** Whether the pages that buyers get have a code that leads to the document's page. */
  hasPageCode: s.boolean(),
  rating: s.number(),
  ratingCount: s.number(),
  salesCount: s.number(),
  documentCount: s.number(),
  /** The last digits of the bank account for payouts; null if there is none. */
  bankAccountEnding: s.nullable(s.string()),
})
export type OwnProfile = s.Infer<typeof OwnProfile>

export const getOwnProfile = defineCall('GET /office/profile', 'teacher', { result: OwnProfile })

/**
 * Saves all texts, which are public at once. `revision` is the one that was read: if the profile
 * has changed since, in another tab, the answer is 409 `profile_changed` and nothing is saved.
 * Saving the same text again is not a change.
 */
export const saveOwnProfile = defineCall('PUT /office/profile', 'teacher', {
  body: s.assign(ProfileText, s.object({ revision: whole(0, 999_999_999) })),
  result: OwnProfile,
  errors: ['profile_changed'],
})

/**
 * Sets a checked upload as the teacher's picture, which is public at once; null for the drawn
 * initials.
 */
export const setOwnPicture = defineCall('PUT /office/profile/picture', 'teacher', {
  body: s.object({ uploadId: s.nullable(uploadId()) }),
  result: OwnProfile,
  errors: ['upload_not_found', 'upload_incomplete'],
})

/**
 * Chooses the name of the teacher's link, which leads to the public page; earlier names still lead there,
 * and may be chosen again.
 */
export const setOwnLink = defineCall('PUT /office/profile/link', 'teacher', {
  body: s.object({
    link: LinkName,
  }),
  result: OwnProfile,
  errors: ['account_not_approved', 'link_taken', 'too_many_links'],
})

/** Puts the code on the pages of the teacher's documents, or leaves it out, from the next download on. */
export const setPageCode = defineCall('PUT /office/profile/page-code', 'teacher', {
  body: s.object({ isOn: s.boolean() }),
  result: OwnProfile,
})
