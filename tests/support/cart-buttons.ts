import type { Page } from 'playwright'

export const add = (page: Page) => page.locator('main .add-to-cart button:visible').first()
export const count = (page: Page) => page.locator('[data-cart-count]:visible').first()
