import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import '@mantine/core/styles.layer.css'
import '@mantine/notifications/styles.layer.css'
import { App, askEarly } from './app/app.tsx'
import './ui/page.css'
import './ui/forced-colors.css'

const element = document.getElementById('app')
if (element) {
  askEarly(location)
  createRoot(element).render(
    <StrictMode>
      <App />
    </StrictMode>
  )
}
