import { ADJUSTMENTS } from './adjustments.ts'
import { OUTSIDE_EVENTS } from './around.ts'
import { BUYERS } from './buyers.ts'
import { FAMILIES } from './families.ts'
import { TEACHERS } from './teachers.ts'
import type { Step, World } from './world.ts'

const COMMANDS = { ...BUYERS, ...OUTSIDE_EVENTS, ...TEACHERS, ...ADJUSTMENTS, ...FAMILIES }

/** One step of a history. */
export interface Command extends Step {
  readonly name: keyof typeof COMMANDS
}

/** Runs the step in the shop and in the model. Throws if they disagree on whether it is allowed. */
export async function runStep(world: World, command: Command): Promise<void> {
  await COMMANDS[command.name](world, command)
}
