import { CART_SCENES } from './cart.ts'
import { CHAT_SCENES } from './chat.ts'
import { CHECKOUT_SCENES } from './checkout.ts'
import { LIBRARY_SCENES } from './library.ts'
import { ENTRANCE_SCENES } from './office/entrance.ts'
import { GOODS_SCENES } from './office/goods.ts'
import { HOME_SCENES } from './office/home.ts'
import { INBOX_SCENES } from './office/inbox.ts'
import { MONEY_SCENES } from './office/money.ts'
import { PEOPLE_SCENES } from './office/people.ts'
import { REPORT_SCENES } from './office/reports.ts'
import { SHARED_BUNDLE_SCENES } from './office/shared-bundles.ts'
import { SITE_SCENES } from './office/site.ts'
import { STAMP_SCENES } from './office/stamp.ts'
import { TEACHER_SCENES } from './office/teacher.ts'
import { OWN_SCENES } from './own.ts'
import { PAGE_SCENES } from './pages.ts'
import { PAYMENT_SCENES } from './payments.ts'
import { PURCHASE_SCENES } from './purchase.ts'
import { READER_SCENES } from './reader.ts'
import type { Scene } from './scene.ts'

/** Every screen and every dialog of the office. */
const OFFICE_SCENES: readonly Scene[] = [
  ...ENTRANCE_SCENES,
  ...HOME_SCENES,
  ...TEACHER_SCENES,
  ...SHARED_BUNDLE_SCENES,
  ...SITE_SCENES,
  ...PEOPLE_SCENES,
  ...GOODS_SCENES,
  ...REPORT_SCENES,
  ...MONEY_SCENES,
  ...STAMP_SCENES,
  ...INBOX_SCENES,
]

/** Every screen and every dialog: those of buyers, then the office. */
export const SCENES: readonly Scene[] = [
  ...PAGE_SCENES,
  ...CART_SCENES,
  ...CHECKOUT_SCENES,
  ...PAYMENT_SCENES,
  ...PURCHASE_SCENES,
  ...LIBRARY_SCENES,
  ...READER_SCENES,
  ...OWN_SCENES,
  ...CHAT_SCENES,
  ...OFFICE_SCENES,
]

/** Console errors that the scenes cause on purpose: aborted calls, and the missing page. */
export const SCENE_FAULTS = [/ERR_FAILED/, /status of 4(0[0349]|15|22)/]
