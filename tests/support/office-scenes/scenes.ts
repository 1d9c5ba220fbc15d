import { ENTRANCE_SCENES } from './entrance.ts'
import { GOODS_SCENES } from './goods.ts'
import { HOME_SCENES } from './home.ts'
import { INBOX_SCENES } from './inbox.ts'
import { MONEY_SCENES } from './money.ts'
import { PEOPLE_SCENES } from './people.ts'
import type { OfficeScene } from './scene.ts'
import { SITE_SCENES } from './site.ts'
import { STAMP_SCENES } from './stamp.ts'
import { TEACHER_SCENES } from './teacher.ts'

/** Every screen of the office, and its overlays. */
export const OFFICE_SCENES: readonly OfficeScene[] = [
  ...ENTRANCE_SCENES,
  ...HOME_SCENES,
  ...TEACHER_SCENES,
  ...SITE_SCENES,
  ...PEOPLE_SCENES,
  ...GOODS_SCENES,
  ...MONEY_SCENES,
  ...STAMP_SCENES,
  ...INBOX_SCENES,
]
