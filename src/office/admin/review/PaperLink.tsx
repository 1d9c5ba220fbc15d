import type { OfferedPaper } from '../../../contract/office-corrections.ts'
import { pathIn } from '../../../i18n/paths.ts'
import { useLocale } from '../../../islands/parts/island.tsx'

/** The paper of a correction, as its review names it. */
export function PaperLink({ paper: { id, title, teacher } }: { paper: OfferedPaper }) {
  const locale = useLocale()
  return (
    <>
      <a className="touch along" href={`${pathIn(locale, '/office/review-document')}?id=${id}`}>
        <bdi>{title || id}</bdi>
      </a>{' '}
      <bdi className="soft">{teacher}</bdi>
    </>
  )
}
