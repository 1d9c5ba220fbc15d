import { useTexts } from '../../../islands/parts/island.tsx'

export function useMistakes(): (field: string, mistake: string) => string {
  const texts = useTexts('office-site:mistakes')
  return (field, mistake) => {
    if (mistake === 'pattern' && field.endsWith('rib')) return texts.rib
    if (mistake === 'pattern' && (field === 'taxNumber' || field === 'register'))
      return texts[field]
    if (mistake === 'pattern' && field === 'accent') return texts.colour
    if (mistake === 'pattern' && field.endsWith('url')) return texts.url
    return Object.hasOwn(texts, mistake) ? texts[mistake as keyof typeof texts] : texts.invalid
  }
}

export type FieldOf = (field: string) => {
  name: string
  defaultValue: string | undefined
  error: string | undefined
}
