import { afterAll, beforeAll } from 'vitest'
import { closeBrowser } from './browser.ts'
import { type Cast, callCast } from './scenes.ts'
import { type OpenShop, openShop } from './shop.ts'

/** The shop in which a test file plays scenes, and who plays in them; there from `beforeAll` on. */
export interface Stage {
  shop: OpenShop
  cast: Cast
}

/** Opens a shop with its cast before the tests of a file, and closes it after them. */
export function openStage(): Stage {
  const stage = {} as Stage
  beforeAll(async () => {
    stage.shop = await openShop()
    stage.cast = await callCast(stage.shop.url)
  })
  afterAll(async () => {
    await closeBrowser()
    await stage.shop.close()
  })
  return stage
}
