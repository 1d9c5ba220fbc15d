import {
  array,
  boolean,
  enums,
  type Infer,
  nullable,
  number,
  object,
  string,
  type,
} from 'superstruct'
import { NOTICE_KINDS } from '../rules/upkeep.ts'
import { defineCall } from './call.ts'
import { LastChange } from './office-site-versions.ts'
import { id, moment } from './values.ts'

const place = {
  /** Without a mail server each mail becomes a file in a folder, and reaches nobody. */
  kind: enums(['server', 'folder']),
  /** The host of the server, or the path of the folder. */
  place: string(),
}

/** Where the shop's mails go, and whether they get there. */
export const MailState = type({
  ...place,
  waiting: number(),
  givenUp: number(),
  /** The last error; `since` is null where mail works again. */
  trouble: nullable(type({ reason: string(), at: moment(), since: nullable(moment()) })),
})
export type MailState = Infer<typeof MailState>

/** A mail to administrators about what needs them. */
const Notice = type({
  kind: enums(NOTICE_KINDS),
  isOn: boolean(),
  /** When it was last sent. */
  toldAt: nullable(moment()),
  changed: LastChange,
  /** The last time it was switched, which the next switch must name; null if it never was. */
  seen: nullable(id()),
})

export const Notices = type({ mail: MailState, notices: array(Notice) })
export type Notices = Infer<typeof Notices>

/** Where the shop's mails go, for the pages that say that one is sent. */
export const getMailPlace = defineCall('GET /office/admin/mail-place', 'admin', {
  result: type(place),
})

export const getNotices = defineCall('GET /office/admin/notices', 'admin', { result: Notices })

/** Switches a notice on or off, for all administrators. */
export const setNotice = defineCall('POST /office/admin/notices', 'admin', {
  body: object({ kind: enums(NOTICE_KINDS), isOn: boolean(), seen: nullable(id()) }),
  result: Notices,
  errors: ['done_before'],
})

/** Sends a mail to the administrator who asks, at once; `problem` says why it was not taken. */
export const sendTestMail = defineCall('POST /office/admin/notices/test-mail', 'admin', {
  result: type({ to: string(), problem: nullable(string()), mail: MailState }),
})
