/** The addresses of the operator's logo, and of the icon drawn from it. With a version, browsers keep them. */
export const LOGO_PATH = '/brand/logo.png'
export const ICON_PATH = '/brand/icon.png'
