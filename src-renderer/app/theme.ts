import { t } from '@lingui/core/macro'
import { type CSSVariablesResolver, createTheme } from '@mantine/core'

/** Quiet blue-grey surfaces; Mantine's own are neutral. From text (0) to the darkest background (9). */
const DARK = [
  '#dcdee5',
  '#b9bcc7',
  '#9b9fac',
  '#6f7380',
  '#424652',
  '#363a45',
  '#282b34',
  '#1b1d23',
  '#16181d',
  '#101216'
] as const

/** Indigo in the shades at which its text and its buttons have enough contrast, light and dark. */
export const theme = createTheme({
  primaryColor: 'indigo',
  primaryShade: { light: 7, dark: 8 },
  autoContrast: true,
  respectReducedMotion: true,
  cursorType: 'pointer',
  defaultRadius: 'md',
  colors: { dark: DARK },
  fontFamily: 'ui-sans-serif, system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", "Liberation Sans", sans-serif',
  fontFamilyMonospace: 'ui-monospace, "SF Mono", Menlo, Consolas, "Liberation Mono", monospace',
  fontWeights: { regular: '400', medium: '500', bold: '700' },
  headings: { fontWeight: '600' },
  components: {
    CloseButton: { defaultProps: () => ({ 'aria-label': t`Close` }) },
    Drawer: { styles: { title: { fontWeight: 600 } } },
    // A menu is inside the main element of the page, and contains only its items.
    Menu: { defaultProps: { withInitialFocusPlaceholder: false, portalProps: { target: '#content' } } },
    Modal: {
      defaultProps: { centered: true, radius: 'lg', overlayProps: { backgroundOpacity: 0.35 } },
      styles: { title: { fontWeight: 600 } }
    },
    Tooltip: { defaultProps: { openDelay: 400, withArrow: true } }
  }
})

/** Secondary texts have a contrast of at least 4.5:1. Mantine's defaults have less. */
export const cssVariables: CSSVariablesResolver = () => ({
  variables: {},
  light: {
    '--mantine-color-text': '#1d2027',
    '--mantine-color-dimmed': '#5d636e',
    '--mantine-color-placeholder': '#6a707b',
    '--mantine-color-error': '#c92a2a',
    // Light buttons under the pointer. The contrast of Mantine's is 4.1:1 and 3.8:1.
    '--mantine-color-indigo-light-hover': '#cdd7ff',
    '--mantine-color-red-light': '#fff0f0',
    '--mantine-color-red-light-hover': '#ffe3e3',
    '--earmark-ground': '#f6f7f9',
    '--earmark-line': '#e6e8ec',
    '--earmark-hover': '#f1f3f6',
    '--earmark-chosen': '#e9edff',
    '--earmark-accent': '#4263eb'
  },
  dark: {
    '--mantine-color-dimmed': '#a0a4b1',
    '--mantine-color-placeholder': '#8d919e',
    '--mantine-color-error': '#ff6b6b',
    // Texts of red and indigo buttons. Mantine's are nearly white.
    '--mantine-color-red-light-color': '#ff8787',
    '--mantine-color-red-light-hover': '#741818',
    '--mantine-color-indigo-light-color': '#bac8ff',
    '--earmark-ground': '#15171c',
    '--earmark-line': '#2b2e37',
    '--earmark-hover': '#23262e',
    '--earmark-chosen': '#262c46',
    '--earmark-accent': '#91a7ff'
  }
})
