import type { Page } from 'playwright'

export const box = (page: Page) => page.locator('input[name=search]:visible').first()
export const options = (page: Page) => page.locator('[role=option]')
export const SEARCHES = /\/api\/documents\/paginated/
