import * as figures from '../../../src/contract/office-figures.ts'
import type { TestApp } from '../app.ts'
import type { Person } from '../factories.ts'

// Calls that read the figures as an administrator.

export const read = (
  app: TestApp,
  admin: Person,
  query: { unit: 'day' | 'month' | 'year'; at?: string },
) => app.call(figures.getFigures, { as: admin, query })
export const ranked = (
  app: TestApp,
  admin: Person,
  query: { unit: 'day' | 'month' | 'year'; at?: string },
) => app.call(figures.getRankings, { as: admin, query })
