import { PERSONAS } from './stage.ts'

export const personas = PERSONAS.map((persona) => ({
  ...persona,
  /** A number as this person's language writes it. */
  of: (text: string) => (persona.locale === 'fr' ? text.replace('.', ',') : text),
}))
