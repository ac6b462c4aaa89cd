import { createRoot } from 'react-dom/client'
import { Capture } from './capture.tsx'
import './capture.css'

const element = document.getElementById('capture')
if (element) createRoot(element).render(<Capture />)
