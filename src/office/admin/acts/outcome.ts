import { useTexts } from '../../../islands/parts/island.tsx'

/** Returns a function that says what an act did, or that it waits for a second administrator. */
export function useOutcome() {
  const { text } = useTexts('office-acts:waits')
  return ({ waits }: { waits: number | null }, done: string) => (waits === null ? done : text)
}
