import { CART_SCENES } from './cart.ts'
import { CHAT_SCENES } from './chat.ts'
import { CHECKOUT_SCENES } from './checkout.ts'
import { LIBRARY_SCENES } from './library.ts'
import { OWN_SCENES } from './own.ts'
import { PAGE_SCENES } from './pages.ts'
import { PAYMENT_SCENES } from './payments.ts'
import { PURCHASE_SCENES } from './purchase.ts'
import { READER_SCENES } from './reader.ts'
import type { Scene } from './scene.ts'

/** Every screen and every dialog that buyers see. */
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
]

/** Console errors that the scenes cause on purpose: aborted calls, and the missing page. */
export const SCENE_FAULTS = [/ERR_FAILED/, /status of 4(0[0349]|22)/]
