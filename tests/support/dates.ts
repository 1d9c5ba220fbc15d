import { tunisianDay } from '../../src/rules/tunisia-time.ts'
import type { TestApp } from './app.ts'

/** The day in Tunisia by the clock of the shop. */
export const today = ({ deps }: TestApp) => tunisianDay(new Date(deps.now()))
