import './site.css'
import { useStore } from '@nanostores/react'
import { useEffect, useState } from 'react'
import type { SitePageName } from '../../../rules/site-pages.ts'
import { $page, loadPage, pageInAddress } from '../../../stores/office/site/pages.ts'
import { notLoaded } from '../../../stores/shared/loader.ts'
import { islandTexts } from '../../parts/island.tsx'
import { LoadState } from '../../parts/States.tsx'
import { PageForm } from './PageForm.tsx'

const { island, useTexts } = islandTexts(
  'office-site:editor',
  'office-site:names',
  'office-site:fields',
  'office-site:mistakes',
  'office-site:conflict',
  'office-site:history',
  'office:form',
  'office:confirm',
  'errors:codes',
  'office-errors:codes',
  'office-admin-errors:codes',
)

const OUTLINES = ['button', 'line', 'button', 'line', 'button', 'line'] as const

/** The editor of a page in three languages. */
function SitePage() {
  const texts = useTexts('office-site:editor')
  const page = useStore($page, { ssr: notLoaded })
  const [name, setName] = useState<SitePageName | null>(null)
  useEffect(() => {
    const urlPage = pageInAddress()
    setName(urlPage)
    void loadPage(urlPage)
  }, [])
  return (
    <LoadState
      state={page}
      loading={{ text: texts.loading, shapes: OUTLINES }}
      failed={texts.failed}
      onRetry={() => name && loadPage(name)}
    >
      {(value) => <PageForm office={value} />}
    </LoadState>
  )
}

export default island(SitePage)
