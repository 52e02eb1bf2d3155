/** The build of hls.js without the features that our playlists don't use. Its types are those of the full build. */
declare module 'hls.js/light' {
  import Hls from 'hls.js'
  export default Hls
}
