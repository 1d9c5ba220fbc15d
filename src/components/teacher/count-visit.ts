// Inlined into a teacher's page by `virtual:karras/count-visit`: remembers in this tab by which link the
// visitor came, and counts the visit once a day. Robots that preview a link run no script.

import { LINK_LASTS_MS, LINK_PARAMETER } from '../../rules/link-visits.ts'
import { LINK_KEY } from '../../rules/storage-keys.ts'

const link = new URLSearchParams(location.search).get(LINK_PARAMETER)
try {
  const [known, at] = JSON.parse(sessionStorage.getItem(LINK_KEY) ?? '[]')
  if (link && (link !== known || Date.now() - at > LINK_LASTS_MS)) {
    sessionStorage.setItem(LINK_KEY, JSON.stringify([link, Date.now()]))
    fetch('/api/links/visits', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ link }),
    }).catch(() => undefined)
  }
} catch {} // without storage, a reload would count again
