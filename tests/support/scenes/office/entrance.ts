import { DEMO_PASSWORD } from '../../../../src/server/demo/demo.ts'
import { uiText } from '../../texts.ts'
import { type Scene, scene } from '../scene.ts'
import { answering, open, plain } from './kinds.ts'

const invitation = plain('invitation', '/office/invitation', undefined, `?token=${'0'.repeat(43)}`)

/** Log-in, invitation and registration of staff. */
export const ENTRANCE_SCENES: readonly Scene[] = [
  plain('login', '/office/login'),
  scene('office-login-code', {}, async (page, locale) => {
    await page.route('**/api/office/login', (route) =>
      route.fulfill({ json: { accessToken: null } }),
    )
    await open(page, locale, '/office/login')
    await page.locator('input[name="username"]').fill('teacher@karras.test')
    await page.locator('input[name="password"]').fill(DEMO_PASSWORD)
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: uiText(locale, 'office-access:login.step') }).waitFor()
  }),
  plain('join', '/office/join'),
  { ...plain('join-link', '/office/join', undefined, `?token=${'0'.repeat(43)}`), isPage: false },
  scene('office-join-code', {}, async (page, locale) => {
    await open(page, locale, '/office/join', `?request=${'0'.repeat(43)}&phone=98000000`)
    await page.locator('main button[type="submit"]').click()
    await page.locator('.field__error').first().waitFor()
  }),
  scene('office-join-errors', {}, async (page, locale) => {
    await open(page, locale, '/office/join')
    await page.locator('main button[type="submit"]').click()
    await page.locator('.field__error').first().waitFor()
  }),
  answering(invitation, 'teacher', '**/api/office/invitation', {
    email: 'amira@mail.example',
    role: 'TEACHER',
    firstName: 'أميرة',
    lastName: 'الطرابلسي',
  }),
  { ...invitation, name: 'office-invitation-spent' },
  plain('forget-password', '/office/forget-password'),
  plain('reset-password', '/office/reset-password', undefined, `?token=${'0'.repeat(43)}`),
  plain('elsewhere', '/office/elsewhere'),
]
