import { useStore } from '@nanostores/react'
import { useEffect } from 'react'
import { dirOf } from '../../i18n/locales.ts'
import { $pageText, followPageText } from '../../stores/reader/page-text.ts'

/**
 * The text of a page for screen readers, because the picture's alt text is only the page number.
 */
export function PageText({ page }: { page: number }) {
  const text = useStore($pageText)
  useEffect(() => followPageText(page), [page])
  if (text?.page !== page) return null
  return (
    <div className="visually-hidden">
      {text.passages.map((passage, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: passages never change places
        <p key={at} lang={passage.language} dir={dirOf(passage.language)}>
          {passage.text}
        </p>
      ))}
    </div>
  )
}
