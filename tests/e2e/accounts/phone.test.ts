import type { Page } from 'playwright'
import { afterAll, expect, test } from 'vitest'
import { pathIn } from '../../../src/i18n/paths.ts'
import { dinars } from '../../../src/rules/money.ts'
import type { OfficePath } from '../../../src/rules/pages.ts'
import { CODE_TRIES } from '../../../src/rules/sms.ts'
import { fill, loggedIn, newVisitor, untilHydrated } from '../../support/browser.ts'
import { PASSWORD as OWN } from '../../support/people.ts'
import { button, link } from '../../support/scene-steps.ts'
import { smsGateway } from '../../support/sms.ts'
import { journeys, PERSONAS, shopForFile } from '../../support/stage.ts'
import { logIn, logOut, mailedLink } from '../../support/steps.ts'
import { type KeyIn, uiText } from '../../support/texts.ts'

const gateway = await smsGateway()
afterAll(gateway.close)
const shop = shopForFile(gateway.env)

const PASSWORD = 'لوز وياسمين'
const FOUR = { ar: '4 نجوم', fr: '4 étoiles' }
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
      await fill(page, text('account:login.usernameOrPhone'), phone)
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

    // A confirmed number makes a rating count.
    const document = await shop.aDocument({ title: `Téléphone ${locale}`, price: 0 })
    const { kysely } = shop.database
    const account = kysely.selectFrom('users').selectAll().where('phone', '=', phone)
    const { id } = await account.executeTakeFirstOrThrow()
    const token = (await page.evaluate(() => localStorage.getItem('token'))) ?? ''
    const own = { userId: id, documentIds: [document.id] }
    expect((await shop.send({ token }, 'POST', '/wallet/pay', own)).status).toBe(200)
    await page.goto(pathIn(locale, `/shop-details/${document.id}`))
    await page.locator('.star-choice label', { hasText: FOUR[locale] }).first().click()
    await page.getByRole('button', { name: text('ratings:form.submit') }).click()
    await page.locator('.rating-form').getByText(text('ratings:form.messages.success')).waitFor()
    const rated = kysely
      .selectFrom('documents')
      .select(['ratingCount', 'ratingSum'])
      .where('id', '=', document.id)
    await expect.poll(() => rated.executeTakeFirst()).toEqual({ ratingCount: 1, ratingSum: 4 })

    await logOut(page, locale)
    await expect.poll(() => page.evaluate(() => localStorage.getItem('token'))).toBeNull()
  },
)

test.each(PERSONAS)(
  '$locale: opens a teacher’s account with a phone, also after a reload, and is led to the first files',
  async (person) => {
    const { locale } = person
    const phone = locale === 'ar' ? '98700311' : '98700312'
    const { page } = await newVisitor(shop.url, { ...person, allowed: [/status of 400/] })
    const text = (key: KeyIn<'office-access'>) => uiText(locale, `office-access:${key}`)
    const codes = () => gateway.texts.filter((each) => each.phone === phone).length
    const at = (path: OfficePath) => page.waitForURL((url) => url.pathname === pathIn(locale, path))

    await page.goto(pathIn(locale, '/office/join'))
    await untilHydrated(page)
    expect(await page.getByLabel(text('fields.email'), { exact: true }).count()).toBe(0)
    await fill(page, text('fields.firstName'), 'أميرة')
    await fill(page, text('fields.lastName'), 'الطرابلسي')
    await fill(page, text('fields.phone'), phone)
    await fill(page, text('join.subjects'), 'Maths')
    await button(page, locale, 'office-access:join.submit').click()
    await expect.poll(codes).toBe(1)
    const open = async (code: string) => {
      await fill(page, text('join.code'), code)
      await fill(page, text('fields.password'), PASSWORD)
      await button(page, locale, 'office-access:join.confirm').click()
    }
    const first = gateway.codeFor(phone)
    await open(first === '111111' ? '222222' : '111111')
    await page.getByText(uiText(locale, 'errors:codes.wrong_phone_code')).waitFor()
    await button(page, locale, 'office-access:join.codeAgain').click()
    await page.getByText(text('join.codeSent')).waitFor()
    await expect.poll(codes).toBe(2)
    // A phone may have thrown the page away while its owner read the message.
    await page.reload()
    await untilHydrated(page)
    await open(gateway.codeFor(phone))
    await at('/office')
    await page.getByText(uiText(locale, 'office:home.lines.approval')).waitFor()

    await page.getByRole('link', { name: uiText(locale, 'office:home.lines.first') }).click()
    await at('/office/many')
    await page.getByRole('heading', { level: 1 }).waitFor()
    const token = await page.evaluate(() => localStorage.getItem('karras-office-token'))
    expect(token).toBeTruthy()

    // The number logs in.
    await page.evaluate(() => localStorage.clear())
    await page.goto(pathIn(locale, '/office/login'))
    await untilHydrated(page)
    await fill(page, text('fields.emailOrPhone'), phone)
    await fill(page, text('fields.password'), PASSWORD)
    await page.keyboard.press('Enter')
    await at('/office')
  },
)

journeys('the contacts of an account', (person, test) => {
  const { locale } = person
  const text = (key: KeyIn<'own-account:contacts'>) => uiText(locale, `own-account:contacts.${key}`)
  const press = (page: Page, key: KeyIn<'own-account:contacts'>) =>
    button(page, locale, `own-account:contacts.${key}`).click()
  const ask = async (page: Page, kind: 'email' | 'phone', open: string, value: string) => {
    await page.getByText(open, { exact: true }).click()
    await fill(page, text(`${kind}.label`), value)
    await page.locator('details[open] input[name=password]').fill(OWN)
    await press(page, `${kind}.submit`)
    await button(page, locale, 'own-account:contacts.stop').waitFor()
  }
  const openLink = async (page: Page, email: string) => {
    const { search } = await mailedLink(shop.dataDir, email)
    await page.goto(pathIn(locale, '/confirm-email') + search)
    await button(page, locale, 'confirm-email:island.submit').click()
  }

  test('a phone account changes its number by two codes, and adds an address', async () => {
    const customer = await shop.aCustomer({})
    await shop.database.kysely
      .updateTable('users')
      .set({ email: null, phoneConfirmedAt: new Date() })
      .where('id', '=', customer.id)
      .execute()
    const phone = locale === 'ar' ? '98700211' : '98700212'
    const { page } = await loggedIn(shop.url, customer, { ...person, at: '/account' })
    await ask(page, 'phone', text('phone.open'), phone)
    const codes = () =>
      gateway.texts.filter((each) => [phone, customer.phone].includes(each.phone)).length
    await expect.poll(codes).toBe(2)
    await fill(page, text('codes.code'), gateway.codeFor(phone))
    await fill(page, text('codes.oldCode'), gateway.codeFor(customer.phone))
    await press(page, 'codes.submit')
    // This device goes on; the old number is told.
    await page.locator('.facts-list', { hasText: phone }).waitFor()
    await expect.poll(codes).toBe(3)

    const email = `contact-${locale}@karras.test`
    await ask(page, 'email', text('addEmail'), email)
    await openLink(page, email)
    await page.getByText(uiText(locale, 'confirm-email:island.changed')).waitFor()
    await link(page, locale, 'confirm-email:island.enter').click()
    await untilHydrated(page)
    await logIn(page, locale, email, OWN)
    await page.waitForURL(new RegExp(`${pathIn(locale, '/')}$`))
  })

  test('with money in the wallet an address waits, and its owner stops it', async () => {
    const customer = await shop.aCustomer({ balance: dinars(5) })
    const email = `waiting-${locale}@karras.test`
    const { page } = await loggedIn(shop.url, customer, { ...person, at: '/account' })
    await ask(page, 'email', text('email.open'), email)
    await openLink(page, email)
    await page.getByText(uiText(locale, 'confirm-email:island.waits')).waitFor()
    await page.goto(pathIn(locale, '/account'))
    await press(page, 'stop')
    await page.getByText(text('email.open'), { exact: true }).waitFor()
    const left = shop.database.kysely.selectFrom('contactChanges').selectAll()
    expect(await left.where('userId', '=', customer.id).execute()).toEqual([])
  })
})
