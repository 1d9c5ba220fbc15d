import { describe, expect, test } from 'vitest'
import { listDocumentQuestions } from '../../../src/contract/document-questions.ts'
import { aConversation, sendChat } from '../../support/chat.ts'
import { callByCommand } from '../../support/operator.ts'
import type { Person } from '../../support/people.ts'
import { aSeller } from '../../support/received-ratings.ts'
import { sharedApp } from '../../support/test.ts'

const app = await sharedApp()

const questionsTo = (as: Person, query: { page?: number; size?: number } = {}) =>
  app.call(listDocumentQuestions, { as, query })

describe('questions about documents', () => {
  test('are the teacher’s own, each with the shop’s answer and nothing else', async () => {
    const { teacher, document } = await aSeller(app)
    const foreign = await app.aDocument()
    const { customer, admin } = await aConversation(app)
    const at = (id: number) => `https://karras.tn/fr/shop-details/${id}`
    const says = (who: Person, content: string) =>
      sendChat(app, who, who === admin ? customer : admin, content)
    await says(customer, 'Bonjour, c’est privé.')
    await says(admin, `Bonjour. ${at(document.id)}`)
    await says(customer, `Y a-t-il un corrigé ? Mon numéro : 20 123 456\n${at(document.id)}`)
    await says(customer, 'Merci d’avance')
    await says(admin, 'Oui, à la fin.')
    await says(admin, 'Écrivez à shop@karras.test. https://karras.tn/payment/x')
    await says(customer, 'Parfait, et ma commande ?')
    await says(admin, 'Elle est payée.')
    await says(customer, `Et celui-ci ?\n${at(foreign.id)}`)
    await says(admin, 'Aussi.')
    await says(customer, `Encore une question ?\n${at(document.id)}`)
    await says(customer, `${at(document.id)} ou ${at(foreign.id)}`)
    await says(admin, 'Le second.')

    const page = await questionsTo(teacher)
    expect(page).toMatchObject({ totalElements: 2, totalPages: 1, number: 0 })
    const [last, first] = page.content
    expect(first).toEqual({
      id: expect.any(Number),
      document: { id: document.id, title: 'الكسور' },
      customer: 'Amal',
      text: 'Y a-t-il un corrigé ? Mon numéro : […]',
      askedAt: expect.any(String),
      answers: [
        { text: 'Oui, à la fin.', answeredAt: expect.any(String) },
        { text: 'Écrivez à […]. […]', answeredAt: expect.any(String) },
      ],
    })
    expect(last).toMatchObject({ text: 'Encore une question ?', answers: [] })
    const response = JSON.stringify(page)
    for (const secret of [customer.email, customer.phone, 'privé', 'commande', 'payée', 'second']) {
      expect(response).not.toContain(secret)
    }
    const paged = await questionsTo(teacher, { page: 1, size: 1 })
    expect(paged).toMatchObject({ content: [{ id: first?.id }], totalPages: 2 })
    const theirs = await questionsTo(await app.anOfficeTeacher())
    expect(theirs).toMatchObject({ content: [], totalElements: 0, totalPages: 0 })

    const own = `--teacher=${teacher.teacherId}`
    const printed = await callByCommand(app, 'listDocumentQuestions', own)
    expect(printed.content).toEqual(page.content)
  })

  test('are messages with the URL of an existing document, in any spelling', async () => {
    const { teacher, document } = await aSeller(app)
    const { customer, admin } = await aConversation(app)
    const id = document.id
    for (const content of [
      `/shop-details/${id}`,
      `https://karras.tn/shop-details/${id}x`,
      `https://karras.tn/shop-details/${id}0000000000`,
      'https://karras.tn/shop-details/999999999',
      `https:// karras.tn/shop-details/${id}`,
      'http://'.repeat(300) + '/shop-details/'.repeat(120),
    ]) {
      await sendChat(app, customer, admin, content)
    }
    expect(await questionsTo(teacher)).toMatchObject({ totalElements: 0 })
    for (const content of [
      `http://localhost:4321/shop-details/${id}`,
      `https://karras.tn/en/shop-details/${id}/?x=1#y, please`,
      `https://karras.tn/shop-details/999999999 https://karras.tn/shop-details/${id}.`,
    ]) {
      await sendChat(app, customer, admin, content)
    }
    expect(await questionsTo(teacher)).toMatchObject({ totalElements: 3 })
  })
})
