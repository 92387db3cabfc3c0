export { completeOnboardingStep } from './complete-onboarding-step';
