import { useTexts } from '../../../islands/parts/island.tsx'
import { factFields } from '../../../rules/fact-fields.ts'
import type { FactGroup } from '../../../rules/site-facts.ts'

export function useMistakes(): (field: string, mistake: string) => string {
  const texts: Readonly<Record<string, string>> & { invalid: string } =
    useTexts('office-site:mistakes')
  return (_, mistake) => texts[mistake] ?? texts.invalid
}

/** Likewise for facts: what a text must look like depends on the kind of fact. */
export function useFactMistakes(group: FactGroup): (field: string, mistake: string) => string {
  const texts: Readonly<Record<string, string>> = useTexts('office-site:mistakes')
  const sentence = useMistakes()
  const kindOf = (path: string) => factFields(group).find((field) => field.path === path)?.kind
  return (path, mistake) =>
    (mistake === 'pattern' && texts[kindOf(path) ?? '']) || sentence(path, mistake)
}

export type FieldOf = (field: string) => {
  name: string
  defaultValue: string | undefined
  error: string | undefined
}
