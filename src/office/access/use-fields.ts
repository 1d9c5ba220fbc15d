import { useTexts } from '../../islands/parts/island.tsx'

type Labelled = 'username' | 'firstName' | 'lastName' | 'email' | 'phone' | 'code'
type Secret = 'password' | 'newPassword' | 'confirmPassword'

const MISTAKES = [
  'required',
  'email',
  'phone',
  'minLength',
  'maxLength',
  'mismatch',
  'invalid',
] as const
export type Mistake = (typeof MISTAKES)[number]

/** The mistakes by field; a rule without its own message becomes `invalid`. */
export function mistakesOf<F extends string>(
  fields: readonly F[],
  rules: Readonly<Partial<Record<string, string | null>>>,
): Partial<Record<F, Mistake>> {
  const found: Partial<Record<F, Mistake>> = {}
  for (const field of fields) {
    const rule = rules[field]
    if (rule) found[field] = MISTAKES.find((known) => known === rule) ?? 'invalid'
  }
  return found
}

/** The props of a form's fields, including the error message to show. */
export function useFields(mistakes: Readonly<Partial<Record<string, Mistake>>>) {
  const texts = useTexts('office-access:fields')
  const errorOf = (name: string) => {
    const mistake = mistakes[name]
    return mistake && texts.errors[mistake]
  }
  return {
    texts,
    errorOf,
    field: (name: Labelled) => ({ name, label: texts[name], error: errorOf(name), required: true }),
    secret: (name: Secret) => ({
      name,
      label: texts[name],
      show: texts.show,
      hide: texts.hide,
      error: errorOf(name),
      autoComplete: name === 'password' ? 'current-password' : 'new-password',
      required: true,
    }),
  }
}
