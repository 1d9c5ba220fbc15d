import { expect, test } from 'vitest'
import { DESKTOP, loggedIn } from '../../support/browser.ts'
import {
  aPair,
  CUT_ERRORS,
  input,
  openChat,
  sendMessage,
  shownMessages,
  storedMessages,
  writeMessage,
} from '../../support/chat-page.ts'
import { cuttableProxy } from '../../support/cut-line.ts'
import { button } from '../../support/scene-steps.ts'
import { FRENCH, journeys, sharedShop } from '../../support/stage.ts'
import { logOut, refuse } from '../../support/steps.ts'
import { uiText } from '../../support/texts.ts'

const shop = sharedShop()

journeys('a conversation', ({ locale, viewport }, test) => {
  test('a lost connection: sent messages wait, missed ones arrive; each once, in order', async () => {
    const { customer, administrator, room } = await aPair(shop)
    const line = await cuttableProxy(shop.url)
    const { page } = await loggedIn(line.url, customer, { locale, viewport, allowed: CUT_ERRORS })
    await openChat(page, locale)
    await writeMessage(page, locale, 'before')
    await expect.poll(() => storedMessages(shop, customer, room)).toEqual(['before'])
    // The response has arrived too: cut before that, the message would wait with the others.
    await expect.poll(() => page.locator('.message--waiting').count()).toBe(0)
    line.cut()
    await page.getByText(uiText(locale, 'chat:page.line.lost')).waitFor()
    for (const text of ['one', 'two', 'three']) await writeMessage(page, locale, text)
    await expect.poll(() => page.locator('.message--waiting').count()).toBe(3)
    for (const text of ['missed 1', 'missed 2'])
      await sendMessage(shop, administrator, customer, text)
    line.mend()
    const all = ['before', 'missed 1', 'missed 2', 'one', 'two', 'three']
    await expect.poll(() => shownMessages(page)).toEqual(all)
    await expect.poll(() => page.locator('.message--waiting').count()).toBe(0)
    expect(await storedMessages(shop, customer, room)).toEqual(all)
    await page.getByText(uiText(locale, 'chat:page.line.lost')).waitFor({ state: 'detached' })
    await sendMessage(shop, administrator, customer, 'after')
    await expect.poll(() => shownMessages(page)).toEqual([...all, 'after'])
  })

  test('waiting messages and a draft survive a reload', async () => {
    const { customer, room } = await aPair(shop)
    const { page } = await loggedIn(shop.url, customer, { locale, viewport, allowed: CUT_ERRORS })
    await openChat(page, locale)
    await input(page).waitFor()
    await page.route('**/api/messages/room/*/send', (route) => route.abort())
    await writeMessage(page, locale, 'first')
    await writeMessage(page, locale, 'second')
    await input(page).fill('a draft')
    await page.reload()
    await expect.poll(() => shownMessages(page)).toEqual(['first', 'second'])
    await expect.poll(() => input(page).inputValue()).toBe('a draft')
    expect(await storedMessages(shop, customer, room)).toEqual([])
    await page.unroute('**/api/messages/room/*/send')
    await expect.poll(() => storedMessages(shop, customer, room)).toEqual(['first', 'second'])
    await expect.poll(() => page.locator('.message--waiting').count()).toBe(0)
  })

  test('messages are shown as plain text, whatever they contain', async () => {
    const { customer, administrator } = await aPair(shop)
    const payloads = [
      '<script>window.hacked = 1</script>',
      '<img src=x onerror="window.hacked=1">',
      '"><svg onload=window.hacked=1>',
      'javascript:window.hacked=1',
      '[x](javascript:window.hacked=1)',
      'https://evil.example/"onmouseover="window.hacked=1',
      `${shop.url}/shop-details/1"onmouseover="window.hacked=1`,
      `${shop.url}/"><script>window.hacked=1</script>`,
      '{{constructor.constructor("window.hacked=1")()}}',
      '\u202egnp.exe\u202c <b>bold</b>',
    ]
    for (const payload of payloads) await sendMessage(shop, administrator, customer, payload)
    const { page } = await loggedIn(shop.url, customer, { locale, viewport })
    await openChat(page, locale)
    await page.locator('.message .chat-document').first().waitFor()
    await expect.poll(() => shownMessages(page)).toHaveLength(payloads.length)
    const texts = await shownMessages(page)
    for (const [at, payload] of payloads.entries()) {
      // Overrides of the direction, which would disguise a name, are left out.
      const shown = payload.replaceAll(/[\u202a-\u202e]/g, '')
      if (!payload.startsWith(shop.url)) expect(texts[at]).toBe(shown)
    }
    await expect.poll(() => page.evaluate(() => 'hacked' in window)).toBe(false)
    const log = page.locator('.chat__log')
    // The cards of documents have covers, which the shop draws.
    const foreign = 'script, img:not(.cover__picture), b, svg:not(.icon, .cover__paint)'
    await expect.poll(() => log.locator(`${foreign}, [onmouseover], [onerror]`).count()).toBe(0)
    const targets = await log
      .locator('a')
      .evaluateAll((links) => links.map((link) => (link as HTMLAnchorElement).origin))
    expect(new Set(targets)).toEqual(new Set([shop.url]))
  })
})

test('two tabs show the same; logging out in one redirects the other to the log-in', async () => {
  const { customer, room } = await aPair(shop)
  const options = { viewport: DESKTOP, allowed: CUT_ERRORS }
  const { page, context } = await loggedIn(shop.url, customer, options)
  await page.goto('/chat')
  const other = await context.newPage()
  await other.goto('/chat')
  await input(other).waitFor()
  await writeMessage(page, 'ar', 'from one')
  await expect.poll(() => shownMessages(other)).toEqual(['from one'])
  await writeMessage(other, 'ar', 'from the other')
  await expect.poll(() => shownMessages(page)).toEqual(['from one', 'from the other'])
  // A message that waits in one tab is shown in the other before the server has it.
  await expect.poll(() => storedMessages(shop, customer, room)).toHaveLength(2)
  await input(page).fill('a draft')
  await logOut(page, 'ar')
  await page.waitForURL((url) => url.pathname === '/')
  await other.waitForURL(/\/login\?returnTo=%2Fchat/)
  await expect
    .poll(() =>
      other.evaluate(() => Object.keys(localStorage).filter((key) => key.startsWith('chat_'))),
    )
    .toEqual([])
})

test('a refused message is retried, or removed', async () => {
  const { customer, room } = await aPair(shop)
  const { page } = await loggedIn(shop.url, customer, {
    ...FRENCH,
    allowed: CUT_ERRORS,
  })
  await page.goto('/fr/chat')
  await input(page).waitFor()
  await refuse(page, '**/api/messages/room/*/send', 403, 'forbidden')
  await writeMessage(page, 'fr', 'keep')
  await writeMessage(page, 'fr', 'drop')
  await expect.poll(() => page.locator('.message--refused').count()).toBe(2)
  await page.unroute('**/api/messages/room/*/send')
  const last = page.locator('.message--refused', { hasText: 'drop' })
  await button(last, 'fr', 'chat:page.state.drop').click()
  await button(page, 'fr', 'chat:page.state.retry').click()
  await expect.poll(() => storedMessages(shop, customer, room)).toEqual(['keep'])
  await expect.poll(() => page.locator('.message--refused').count()).toBe(0)
})
