import type { TestApp } from './app.ts'
import { create, save, setFile, textOf } from './own-documents.ts'
import type { Person } from './people.ts'

/** A draft with everything that it needs. */
export async function aDraft(
  app: TestApp,
  teacher: Person & { teacherId: number },
  names: { matiereId: number; niveauId: number; categoryId: number },
  title: string,
  pages = 2,
) {
  const created = await create(app, teacher)
  const saved = await save(app, teacher, created, textOf(names, title))
  await setFile(app, teacher, saved.id, pages)
  return saved
}
