import type { ClientDirective } from 'astro'

/** `client:after-first-page`: after the first page's picture, or at once at a touch or a key. */
const afterFirstPage: ClientDirective = (load) => {
  const touched = new Promise((resolve) => {
    for (const type of ['pointerdown', 'keydown']) addEventListener(type, resolve, { once: true })
  })
  void Promise.race([window.firstPage?.shown, touched]).then(async () => (await load())())
}

export default afterFirstPage
