// The script of the shop's pages, loaded deferred: everything that needs no React and no call.
import './controls.ts'
import './menus.ts'
import './loader.ts'
import './frame.ts'
import './first-font.ts'
