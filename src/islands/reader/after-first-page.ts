import type { ClientDirective } from 'astro'

/**
 * `client:after-first-page`: the island's scripts leave a slow line to the picture of the first page. A touch
 * or a key does not wait for that.
 */
const afterFirstPage: ClientDirective = (load) => {
  const touched = new Promise((resolve) => {
    for (const type of ['pointerdown', 'keydown']) addEventListener(type, resolve, { once: true })
  })
  void Promise.race([window.firstPage?.shown, touched]).then(async () => (await load())())
}

export default afterFirstPage
