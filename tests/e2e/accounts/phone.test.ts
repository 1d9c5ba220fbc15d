import { afterAll, expect, test } from 'vitest'
import { pathIn } from '../../../src/i18n/paths.ts'
import { CODE_TRIES } from '../../../src/rules/sms.ts'
import { fill, newVisitor, untilHydrated } from '../../support/browser.ts'
import { button } from '../../support/scene-steps.ts'
import { smsGateway } from '../../support/sms.ts'
import { PERSONAS, shopForFile } from '../../support/stage.ts'
import { uiText } from '../../support/texts.ts'

const gateway = await smsGateway()
afterAll(gateway.close)
const shop = shopForFile(gateway.env)

const PASSWORD = 'لوز وياسمين'
const NEW = 'لوز وياسمين 2026'

test.each(PERSONAS)(
  '$locale: registers with a phone alone, confirms it, and gets a new password by it',
  async (person) => {
    const { locale } = person
    const phone = locale === 'ar' ? '98700111' : '98700112'
    // Wrong codes and the first log-in are 400 and 403, which the browser logs.
    const { page } = await newVisitor(shop.url, { ...person, allowed: [/status of 40[03]/] })
    const text = (key: string) => uiText(locale, key as 'account:login.title')
    const codes = () => gateway.texts.filter((each) => each.phone === phone).length
    const at = (path: '/confirm-phone' | '/new-password' | '/login') =>
      page.waitForURL(new RegExp(`${pathIn(locale, path)}(\\?|$)`))
    const enter = async (password: string) => {
      await fill(page, text('account:login.username'), phone)
      await fill(page, text('account:login.password'), password)
      await button(page, locale, 'account:login.submit').click()
    }

    await page.goto(pathIn(locale, '/register'))
    await untilHydrated(page)
    await fill(page, text('account:register.username'), 'amal')
    await fill(page, text('account:register.firstName'), 'أمل')
    await fill(page, text('account:register.lastName'), 'بن صالح')
    await fill(page, text('account:register.phone'), phone)
    await page.getByRole('radio', { name: text('account:register.female') }).check()
    await fill(page, text('account:register.password'), PASSWORD)
    await fill(page, text('account:register.confirmPassword'), PASSWORD)
    const terms = page.getByRole('checkbox')
    if ((await terms.count()) > 0) await terms.check()
    await button(page, locale, 'account:register.submit').click()
    await at('/confirm-phone')
    await expect.poll(codes).toBe(1)

    // A log-in before that leads back to the code.
    await page.goto(pathIn(locale, '/login'))
    await untilHydrated(page)
    await enter(PASSWORD)
    await at('/confirm-phone')
    await untilHydrated(page)

    const right = gateway.codeFor(phone)
    const confirm = async (code: string) => {
      await fill(page, text('password:code.code'), code)
      await button(page, locale, 'password:code.confirm').click()
    }
    const answers: number[] = []
    page.on('response', (answer) => {
      if (answer.url().endsWith('/confirm-phone') && answer.request().method() === 'POST') {
        answers.push(answer.status())
      }
    })
    const wrong = right === '111111' ? '222222' : '111111'
    for (let time = 1; time <= CODE_TRIES; time++) {
      await confirm(wrong)
      await expect.poll(() => answers.length).toBe(time)
    }
    await confirm(right)
    await expect.poll(() => answers.length).toBe(CODE_TRIES + 1)
    expect(new Set(answers)).toEqual(new Set([400]))
    await page.getByText(text('errors:codes.wrong_phone_code')).waitFor()

    await button(page, locale, 'password:code.again').click()
    await expect.poll(codes).toBe(2)
    await confirm(gateway.codeFor(phone))
    await at('/login')
    await page.getByText(text('account:login.phoneConfirmed')).waitFor()

    await page.goto(pathIn(locale, '/forget-password'))
    await untilHydrated(page)
    await fill(page, text('password:forgot.emailOrPhone'), phone)
    await button(page, locale, 'password:forgot.submit').click()
    await at('/new-password')
    await expect.poll(codes).toBe(3)
    await untilHydrated(page)
    await fill(page, text('password:code.code'), gateway.codeFor(phone))
    await fill(page, text('password:code.newPassword'), NEW)
    await button(page, locale, 'password:code.setPassword').click()
    await at('/login')
    await page.getByText(text('account:login.passwordSet')).waitFor()
    await untilHydrated(page)
    await enter(NEW)
    await page.waitForURL(new RegExp(`${pathIn(locale, '/')}$`))
  },
)
