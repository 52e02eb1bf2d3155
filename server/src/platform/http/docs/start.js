// validatorUrl: null, or the page would have a stranger's server check the description.
SwaggerUIBundle({ url: '/api/openapi.json', dom_id: '#docs', deepLinking: true, validatorUrl: null })
