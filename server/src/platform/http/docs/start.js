// Without `validatorUrl: null`, the page would send the document to an external validator.
SwaggerUIBundle({ url: '/api/openapi.json', dom_id: '#docs', deepLinking: true, validatorUrl: null })
