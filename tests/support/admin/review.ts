import * as contractOfDocuments from '../../../src/contract/office-documents.ts'
import { dinars } from '../../../src/rules/money.ts'
import { unpublish } from '../../../src/server/documents/documents.ts'
import type { TestApp } from '../app.ts'
import type { Person } from '../people.ts'

/** A document that the shop took down, and that its teacher has submitted again. */
export async function aSubmitted(
  app: TestApp,
  teacher: Person & { teacherId: number },
  title: string,
) {
  const { id } = await app.aDocument({ title, teacherId: teacher.teacherId, price: dinars(5) })
  await unpublish(app.deps, { id, editor: { actor: 'command line' } }, 'Look at it again.')
  await submit(app, teacher, id)
  return id
}

const submit = (app: TestApp, teacher: Person & { teacherId: number }, id: number) =>
  app.call(contractOfDocuments.submitOwnDocument, { as: teacher, params: { id } })

export async function asks(app: TestApp, email: string, firstName = 'أميرة') {
  const { id } = await app.kysely
    .insertInto('joinRequests')
    .values({
      email,
      firstName,
      lastName: 'الطرابلسي',
      phone: '98000000',
      subjects: 'رياضيات',
      message: '',
      locale: 'ar',
      tokenHash: null,
      askedAt: new Date(app.deps.now()),
      confirmedAt: new Date(app.deps.now()),
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}
