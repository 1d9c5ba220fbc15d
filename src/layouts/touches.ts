// What answers the visitor in every page of the shop, also in those of the development server.
import './loader.ts'
import './taps.ts'
