import { tunisianDay } from '../../src/rules/tunisia-time.ts'
import type { TestApp } from './app.ts'

/** Today's date in Tunisia by the shop's clock. */
export const today = ({ deps }: TestApp) => tunisianDay(new Date(deps.now()))
