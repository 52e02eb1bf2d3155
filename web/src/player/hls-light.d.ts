/** The build without what our playlists do not have; its types are those of the whole. */
declare module 'hls.js/light' {
  import Hls from 'hls.js'
  // biome-ignore lint/style/noDefaultExport: it is what the package exports
  export default Hls
}
