import type { ClientDirective } from 'astro'

/**
 * `client:after-first-page`: loads the island's scripts after the picture of the first page, which
 * needs a slow connection for itself. A touch or a key loads them immediately.
 */
const afterFirstPage: ClientDirective = (load) => {
  const touched = new Promise((resolve) => {
    for (const type of ['pointerdown', 'keydown']) addEventListener(type, resolve, { once: true })
  })
  void Promise.race([window.firstPage?.shown, touched]).then(async () => (await load())())
}

export default afterFirstPage
