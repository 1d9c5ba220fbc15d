import { type ReactNode, useEffect, useState } from 'react'
import type { Locale } from '../../i18n/locales.ts'
import { pathIn } from '../../i18n/paths.ts'
import { $hasDownloads } from '../../stores/account/user-data.ts'
import { logOnly } from '../../stores/shared/problem.ts'
import { useLocale } from '../parts/island.tsx'
import { loadDownloadTexts } from './download-texts.ts'

async function loadTray(locale: Locale): Promise<ReactNode> {
  const [{ DownloadTray }, texts] = await Promise.all([
    import('./DownloadTray.tsx'),
    loadDownloadTexts(locale),
  ])
  return <DownloadTray texts={texts} />
}

/** What goes on with the downloads that an earlier page has left; nothing of it is loaded where there are none. */
export function useDownloadTray(): ReactNode {
  const locale = useLocale()
  const [tray, setTray] = useState<ReactNode>(null)
  useEffect(() => {
    // My documents lists them itself.
    if (!$hasDownloads.get() || location.pathname === pathIn(locale, '/my-documents')) return
    loadTray(locale).then(setTray, logOnly('downloads'))
  }, [locale])
  return tray
}
