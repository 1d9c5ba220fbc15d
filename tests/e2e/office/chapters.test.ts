import { expect } from 'vitest'
import { fillText } from '../../../src/i18n/format.ts'
import { pathIn } from '../../../src/i18n/paths.ts'
import { atOffice, untilHydrated } from '../../support/browser.ts'
import { journeys, sharedShop } from '../../support/stage.ts'
import { uiText } from '../../support/texts.ts'

const shop = sharedShop()

journeys('an administrator', ({ locale, viewport }, test) => {
  const said = (key: Parameters<typeof uiText>[1]) => uiText(locale, key)

  test('adds chapters below an order that is not saved yet, and is told when one is gone meanwhile', async () => {
    const [admin, other] = [await shop.anOfficeAdministrator(), await shop.anOfficeAdministrator()]
    // A class that names no subjects has all.
    const classId = await shop.aClass('primary-school', `chapters ${locale}`)
    const subjectId = await shop.aMatiere(`chapters ${locale}`)
    const list = `/office/admin/chapters/${classId}/${subjectId}`
    const chapter = (fr: string) => ({
      ...{ id: null, ar: '', fr, aliases: [], trimester: null, isHidden: false },
    })
    const chapters = ['Alpha', 'Beta', 'Gamma'].map(chapter)
    const body = { revision: 0, chapters }
    const { body: saved } = await shop.send(other, 'PUT', list, body)

    const { page } = await atOffice(shop.url, admin, { locale, viewport, allowed: [/409/] })
    const query = `?class=${classId}&subject=${subjectId}`
    await page.goto(`${pathIn(locale, '/office/chapters')}${query}`)
    await untilHydrated(page)
    const dialog = page.getByRole('dialog')
    const send = () => dialog.getByRole('button').last().click()
    const act = (name: 'editOne', of: string) =>
      page.getByRole('button', {
        name: fillText(said(`office-chapters:page.${name}`), { name: of }),
      })

    await page.locator('.lists__entry').nth(1).getByRole('button').first().click()
    await page.getByRole('button', { name: said('office-chapters:page.add') }).click()
    await dialog.locator('textarea').fill('|||\nDelta')
    await send()
    await dialog.waitFor({ state: 'detached' })
    const shown = page.locator('.lists__entry strong')
    await expect.poll(() => shown.allInnerTexts()).toEqual(['Beta', 'Alpha', 'Gamma', 'Delta'])

    await act('editOne', 'Gamma').click()
    await dialog.locator('[name="fr"]').fill('\u200d')
    await send()
    await dialog.getByText(said('office-chapters:fields.nameless')).first().waitFor()
    await dialog.locator('[name="fr"]').fill('Omega')
    const [alpha, , gamma] = saved.chapters.map(({ id }: { id: number }) => id)
    const merging = { revision: 2, from: gamma, into: alpha }
    expect((await shop.send(other, 'POST', `${list}/merge`, merging)).status).toBe(200)
    await send()
    await expect.poll(() => shown.allInnerTexts()).toEqual(['Beta', 'Alpha', 'Delta'])
    await send()
    await dialog.getByText(said('errors:codes.not_found')).waitFor()
  })
})
