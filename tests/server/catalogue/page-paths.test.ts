import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { pagePaths } from '../../../src/server/catalogue/catalogue.ts'
import { testApp } from '../../support/app.ts'

test('of a large catalogue, the 1 000 documents sold most are rendered before anyone asks', async () => {
  const app = await testApp()
  const { id } = await app.aDocument()
  const hidden = await app.aDocument({ isPublished: false })
  await sql`
    INSERT INTO documents (teacher_id, title, price, category_id, matiere_id, niveau_id, level,
      audience, file_id, state, first_published_at, sales_count)
    SELECT teacher_id, title || n, price, category_id, matiere_id, niveau_id, level,
      audience, file_id, state, first_published_at, n
    FROM documents, generate_series(1, 1100) AS n WHERE id = ${id}`.execute(app.kysely)
  const best = await sql<{ id: number }>`
    SELECT id FROM documents WHERE is_published ORDER BY sales_count DESC LIMIT 1000`.execute(
    app.kysely,
  )
  const paths: string[] = []
  for await (const path of pagePaths(app.deps.database)) paths.push(path)

  const documents = paths.filter((path) => path.startsWith('/shop-details/'))
  expect(documents).toEqual(best.rows.map((each) => `/shop-details/${each.id}`))
  expect(documents).not.toContain(`/shop-details/${hidden.id}`)
  for (const page of ['/', '/fr/shop', '/en/shop?level=primary-school', '/faq', '/teachers']) {
    expect(paths).toContain(page)
  }
  expect(paths.length).toBeLessThan(4000)
  await app.stop()
})
